import type { Plugin } from 'vite'

/** What the annotation screen is made of. */
const files: ReadonlySet<string> = new Set(['vendor', 'router', 'shell', 'index', 'inside', 'annotate', 'BulkView'])

/**
 * Tells browsers to compile all functions of these files while they load them, beside the page's own thread: half of them run before the
 * first record is shown, and each of those would stop the page for itself. The note counts at the very top of a file only.
 */
export const compileAhead = (): Plugin => ({
  name: 'postil-compile-ahead',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const missing = new Set(files)
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk' || !files.has(output.name)) continue
        output.code = `//# allFunctionsCalledOnLoad\n${output.code}`
        missing.delete(output.name)
      }
      if (missing.size > 0) this.error(`There is no file of the name ${[...missing].join(', ')} that could be compiled ahead`)
    },
  },
})
