// Preloaded into a command by a test. When the process ends, prints its peak memory.
process.on('exit', () => process.stderr.write(`\npeak ${process.resourceUsage().maxRSS} KiB\n`))
