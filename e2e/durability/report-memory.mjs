// A test preloads this module into a command. It prints the command's peak memory when the process ends.
process.on('exit', () => process.stderr.write(`\npeak ${process.resourceUsage().maxRSS} KiB\n`))
