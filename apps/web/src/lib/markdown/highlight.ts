/** Longer code is left plain: colours are elements, and those of much code would hold up the page. */
const longest = 20_000
/** Milliseconds for the colours of one piece of code. People's takes a few; there are patterns of languages that take time by the cube of it. */
const longestWork = 2000

const begin = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
    // It says when it is there: what its file needs to arrive is no part of its work.
    worker.onmessage = () => resolve(worker)
    worker.onerror = () => reject(new Error('the worker that colours code cannot be loaded'))
  })

let running: Promise<Worker> | null = null

const ask = async (code: string, language: string): Promise<string | null> => {
  running ??= begin()
  const worker = await running.catch((fault: unknown) => {
    running = null
    throw fault
  })
  return new Promise((resolve) => {
    const tooLong = setTimeout(() => {
      worker.terminate()
      running = null
      resolve(null)
    }, longestWork)
    worker.onmessage = ({ data }: MessageEvent<string | null>) => {
      clearTimeout(tooLong)
      resolve(data)
    }
    worker.postMessage({ code, language })
  })
}

let last: Promise<unknown> = Promise.resolve()

/** Code as HTML with classes for its colours, made beside the page, one after the other; null for a language that is not known, and for what takes too long. */
export const highlight = (code: string, language: string): Promise<string | null> => {
  if (code.length > longest) return Promise.resolve(null)
  const answer = last.then(() => ask(code, language))
  last = answer.catch(() => undefined)
  return answer
}
