"""What keeps the project in order, and no user needs: not in the wheel."""
