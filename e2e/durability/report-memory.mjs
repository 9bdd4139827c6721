// Preloaded into a command by a test: prints the most memory that the process had, when it ends.
process.on('exit', () => process.stderr.write(`\npeak ${process.resourceUsage().maxRSS} KiB\n`))
