import { type CliCommand, printLine } from '../command.ts'
import { commands, type ListedCommand } from '../commands.ts'
import { flagHelp } from '../input/flags.ts'

const list = (some: readonly ListedCommand[]): void => {
  const width = Math.max(...some.map(({ names }) => names[0].length)) + 2
  for (const { names, summary } of some) printLine(`  ${names[0].padEnd(width)}${summary}`)
  printLine("\nRun 'postil <command> --help' to list the options of a command.")
}

export const overview = (): void => {
  printLine('Usage: postil <command> [options]\n')
  list(commands)
}

/** The commands that start with these words, for example all of `database users`. */
export const groupOf = (words: readonly string[]): readonly ListedCommand[] =>
  words.length === 0 ? [] : commands.filter(({ names }) => names.some((name) => name.startsWith(`${words.join(' ')} `)))

export const helpOnGroup = (words: readonly string[]): void => {
  printLine(`Usage: postil ${words.join(' ')} <command> [options]\n`)
  list(groupOf(words))
}

export const helpOn = ({ names: [name], summary }: ListedCommand, command: CliCommand): void => {
  const places = command.positionals.map((place) => ` ${place.toUpperCase()}`).join('')
  printLine(`Usage: postil ${name}${places} [options]\n\n${summary}\n`)
  for (const [option, { type, multiple, placeholder = 'TEXT', about }] of Object.entries(command.options)) {
    const typed = `--${option}${type === 'string' ? ` ${placeholder}` : ''}`
    printLine(`  ${typed.padEnd(24)} ${about}${multiple ? ' May be repeated.' : ''}`)
  }
  for (const line of flagHelp(command.flags)) printLine(line)
}
