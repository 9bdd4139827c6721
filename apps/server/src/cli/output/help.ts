import { type CliCommand, printLine } from '../command.ts'
import { commands } from '../commands.ts'
import { flagHelp } from '../input/flags.ts'

const list = (some: readonly CliCommand[]): void => {
  const width = Math.max(...some.map(({ names }) => names[0].length)) + 2
  for (const { names, summary } of some) printLine(`  ${names[0].padEnd(width)}${summary}`)
  printLine("\nRun 'postil <command> --help' to list the options of a command.")
}

export const overview = (): void => {
  printLine('Usage: postil <command> [options]\n')
  list(commands)
}

/** The commands that start with these words, for example all of `database users`. */
export const groupOf = (words: readonly string[]): readonly CliCommand[] =>
  words.length === 0 ? [] : commands.filter(({ names }) => names.some((name) => name.startsWith(`${words.join(' ')} `)))

export const helpOnGroup = (words: readonly string[]): void => {
  printLine(`Usage: postil ${words.join(' ')} <command> [options]\n`)
  list(groupOf(words))
}

export const helpOn = (command: CliCommand): void => {
  const places = command.positionals.map((name) => ` ${name.toUpperCase()}`).join('')
  printLine(`Usage: postil ${command.names[0]}${places} [options]\n\n${command.summary}\n`)
  for (const [name, { type, multiple, placeholder = 'TEXT', about }] of Object.entries(command.options)) {
    const typed = `--${name}${type === 'string' ? ` ${placeholder}` : ''}`
    printLine(`  ${typed.padEnd(24)} ${about}${multiple ? ' May be repeated.' : ''}`)
  }
  for (const line of flagHelp(command.flags)) printLine(line)
}
