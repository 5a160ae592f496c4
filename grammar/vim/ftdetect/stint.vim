autocmd BufRead,BufNewFile *.stint setfiletype stint
