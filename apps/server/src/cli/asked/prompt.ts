import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../command.ts'

const ask = async (question: string, hidden: boolean): Promise<string> => {
  if (hidden) process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stdout, terminal: true })
  // NOTE: the end of the input (Ctrl+D) would leave the question waiting for ever, and Ctrl+C would end it with a fault
  const left = new Promise<never>((_resolve, reject) => {
    reader.once('close', () => reject(new CommandError('Nothing was done.')))
  })
  try {
    return await Promise.race([reader.question(hidden ? '' : question).catch(() => left), left])
  } finally {
    left.catch(() => undefined)
    reader.close()
    if (hidden) process.stdout.write('\n')
  }
}

/** Asks a person for what an option did not say. */
export const askFor = async (question: string, { hidden = false } = {}): Promise<string> => {
  const answer = await ask(`${question}: `, hidden)
  if (hidden && (await ask(`${question} again: `, hidden)) !== answer) throw new CommandError('The two passwords differ.')
  return answer
}

/** @param options that would have to be asked for. @throws CommandError that names them where nobody is there to answer */
export const refuseSilence = (options: readonly string[]): void => {
  if (options.length === 0 || process.stdin.isTTY) return
  const names = options.map((name) => `--${name}`).join(' and ')
  throw new CommandError(`${names} ${options.length > 1 ? 'are' : 'is'} missing, and there is no terminal to ask on.`)
}
