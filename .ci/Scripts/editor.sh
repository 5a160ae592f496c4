# Tests the language server with the client of Neovim.
folder="$(mktemp -d)"
cp Tests/Editor/policy.stint "$folder/policy.stint"
STINT="$STINT_DEBUG" POLICY="$folder/policy.stint" XDG_STATE_HOME="$folder" XDG_CACHE_HOME="$folder" \
  timeout 300 nvim --headless --clean -c 'luafile Tests/Editor/language-server.lua' -c 'cquit 1'
rm -r "$folder"
