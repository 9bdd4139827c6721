/** Maximum length of highlighted code, in characters. Every token is an element, and many elements slow down the page. */
const maxLength = 20_000
/**
 * Time limit for highlighting a code block, in milliseconds. Normal code takes a few milliseconds, but the patterns of some
 * languages take cubic time.
 */
const maxDuration = 2000

const startWorker = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
    // The worker sends a message when it is loaded, so that loading doesn't count toward the time limit.
    worker.onmessage = () => resolve(worker)
    worker.onerror = () => reject(new Error('the worker for syntax highlighting could not be loaded'))
  })

let running: Promise<Worker> | null = null

const highlightInWorker = async (code: string, language: string): Promise<string | null> => {
  running ??= startWorker()
  const worker = await running.catch((fault: unknown) => {
    running = null
    throw fault
  })
  return new Promise((resolve) => {
    const timeout = setTimeout(() => {
      worker.terminate()
      running = null
      resolve(null)
    }, maxDuration)
    worker.onmessage = ({ data }: MessageEvent<string | null>) => {
      clearTimeout(timeout)
      resolve(data)
    }
    worker.postMessage({ code, language })
  })
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Highlights code in a worker, one block at a time. Returns HTML with classes for the colors, or null if the language is
 * unknown or highlighting takes too long.
 */
export const highlight = (code: string, language: string): Promise<string | null> => {
  if (code.length > maxLength) return Promise.resolve(null)
  const answer = last.then(() => highlightInWorker(code, language))
  last = answer.catch(() => undefined)
  return answer
}
