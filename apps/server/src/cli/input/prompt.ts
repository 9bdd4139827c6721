import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../command.ts'

const ask = async (question: string, hidden: boolean): Promise<string> => {
  if (hidden) process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stdout, terminal: true })
  // Without this promise, the prompt would wait forever at the end of the input (Ctrl+D), and Ctrl+C would cause an unhandled
  // error.
  const left = new Promise<never>((_resolve, reject) => {
    reader.once('close', () => reject(new CommandError('Canceled. Nothing was changed.')))
  })
  try {
    return await Promise.race([reader.question(hidden ? '' : question).catch(() => left), left])
  } finally {
    left.catch(() => undefined)
    reader.close()
    if (hidden) process.stdout.write('\n')
  }
}

/** Prompts for a value that no option supplied. */
export const askFor = async (question: string, { hidden = false } = {}): Promise<string> => {
  const answer = await ask(`${question}: `, hidden)
  if (hidden && (await ask(`${question} again: `, hidden)) !== answer) throw new CommandError('The passwords do not match.')
  return answer
}

/**
 * Checks that missing options can be prompted for.
 * @param options the names of the missing options
 * @throws CommandError if options are missing and there is no terminal. The error names the options
 */
export const requireTerminal = (options: readonly string[]): void => {
  if (options.length === 0 || process.stdin.isTTY) return
  const names = options.map((name) => `--${name}`).join(' and ')
  throw new CommandError(`${names} ${options.length > 1 ? 'are' : 'is'} missing, and there is no terminal to prompt on.`)
}
