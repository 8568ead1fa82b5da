"""`python -m tapproxy` is `tap`."""

from tapproxy.cli import main

if __name__ == "__main__":
    main()
