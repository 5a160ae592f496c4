# Validates the output of each command with --json against its schema in grammar/schemas.
answer=0
python3 Tests/Schemas/schemas.py "$STINT" "$PWD" || answer=$?
if [ "$answer" -eq 77 ]; then
  echo "there is no jsonschema for Python (package python3-jsonschema): reports were NOT validated" >> "$NOTES"
  exit 75
fi
exit "$answer"
