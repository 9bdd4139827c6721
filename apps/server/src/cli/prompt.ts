import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from './command.ts'

const ask = async (question: string, hidden: boolean): Promise<string> => {
  process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stdout, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    if (hidden) process.stdout.write('\n')
  }
}

/** Asks a person for what an option did not say. @throws CommandError where nobody is there to answer */
export const askFor = async (option: string, question: string, { hidden = false } = {}): Promise<string> => {
  if (!process.stdin.isTTY) throw new CommandError(`--${option} is missing.`)
  const answer = await ask(`${question}: `, hidden)
  if (hidden && (await ask(`${question} again: `, hidden)) !== answer) throw new CommandError('The two passwords differ.')
  return answer
}
