import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../command.ts'

const ask = async (question: string, hidden: boolean): Promise<string> => {
  if (hidden) process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stdout, terminal: true })
  // Without this, end of input (Ctrl+D) would leave the prompt waiting forever, and Ctrl+C would end it with an unhandled
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
 * @param options the options that need a prompt
 * @throws CommandError that names these options if there is no terminal
 */
export const requireTerminal = (options: readonly string[]): void => {
  if (options.length === 0 || process.stdin.isTTY) return
  const names = options.map((name) => `--${name}`).join(' and ')
  throw new CommandError(`${names} ${options.length > 1 ? 'are' : 'is'} missing, and there is no terminal to prompt on.`)
}
