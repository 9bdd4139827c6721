import type { Figure, Script, TeamRun } from './kept-teams.ts'
import { gridOf } from './stats.ts'

const COMMANDS: { readonly [S in Script]: string } = {
  load: 'npm run load',
  soak: 'npm run load -- --soak',
  queue: 'node bench/queue.ts',
  scale: 'node bench/scale.ts',
}
const WHAT: { readonly [S in Script]: string } = {
  load: 'A large team at work as people work: each takes records from the queue, thinks, answers. All of it is on one machine, the team too.',
  soak: 'Half of that team for an hour.',
  queue:
    'A team that hurries works through a dataset over several processes, which are killed meanwhile. Times are those of the team, which is on the same machine.',
  scale: 'Annotators who take a page and answer it without a pause, over one process and more, on one machine.',
}

const number = (value: number): string => String(Math.round(value * 10) / 10)
const printed = (figure: Figure): string => {
  if (typeof figure === 'string') return figure
  if (typeof figure === 'number') return number(figure)
  const parts = Object.entries(figure).map(([name, value]) => `${name} ${typeof value === 'number' ? number(value) : value}`)
  return parts.join(', ') || 'none'
}

/** The figures of teams, a table each; nothing without any. */
export const teamsOf = (runs: readonly TeamRun[]): string =>
  runs
    .map(({ script, engine, date, commit, machine, figures }) => {
      const rows = Object.entries(figures).map(([name, figure]) => [name.replaceAll('_', ' '), printed(figure)])
      const head = `### \`${COMMANDS[script]}\`, ${engine}\n\n${WHAT[script]} Measured on ${date.slice(0, 10)}, commit ${commit}, ${machine}.`
      return `${head}\n\n${gridOf(['what', 'value'], rows)}`
    })
    .join('\n\n')
