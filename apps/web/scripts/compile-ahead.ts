import type { Plugin } from 'vite'

/** The files of the annotation screen. */
const files: ReadonlySet<string> = new Set(['vendor', 'router', 'shell', 'index', 'inside', 'annotate', 'BulkView'])

/**
 * Makes browsers compile all functions of these files in the background while the files load. Half of the functions run before
 * the first record appears, and compiling each on demand would block the main thread. The hint must be at the very top of a
 * file.
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
      if (missing.size > 0) this.error(`Cannot compile ahead: there is no output file named ${[...missing].join(', ')}`)
    },
  },
})
