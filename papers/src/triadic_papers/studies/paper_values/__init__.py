"""What the papers printed, typed from them: tables as data, each with its place."""
