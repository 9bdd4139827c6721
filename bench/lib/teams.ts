import { gridOf } from './stats.ts'
import type { Figure, Script, TeamRun } from './team-run-store.ts'

const COMMANDS: { readonly [S in Script]: string } = {
  load: 'npm run load',
  soak: 'npm run load -- --soak',
  queue: 'node bench/queue.ts',
  scale: 'node bench/scale.ts',
}
const FIGURE_LABELS: { readonly [S in Script]: string } = {
  load: 'A large team works at a human pace: each annotator takes records from the queue, thinks, and answers them. The team and the server share one machine.',
  soak: 'A team half as large as in `npm run load` works for one hour.',
  queue:
    'A fast team works through a dataset. Several server processes serve the team and are killed repeatedly during the run. The clients run on the same machine and measure the times.',
  scale:
    'Each annotator repeatedly fetches a page of records and answers the first one, without pausing. The server consists of one or more processes on one machine.',
}

const number = (value: number): string => String(Math.round(value * 10) / 10)
const printed = (figure: Figure): string => {
  if (typeof figure === 'string') return figure
  if (typeof figure === 'number') return number(figure)
  const parts = Object.entries(figure).map(([name, value]) => `${name} ${typeof value === 'number' ? number(value) : value}`)
  return parts.join(', ') || 'none'
}

export const teamsOf = (runs: readonly TeamRun[]): string =>
  runs
    .map(({ script, engine, date, commit, machine, figures }) => {
      const rows = Object.entries(figures).map(([name, figure]) => [name.replaceAll('_', ' '), printed(figure)])
      const head = `### \`${COMMANDS[script]}\`, ${engine}\n\n${FIGURE_LABELS[script]} Measured on ${date.slice(0, 10)}, commit ${commit}, ${machine}.`
      return `${head}\n\n${gridOf(['what', 'value'], rows)}`
    })
    .join('\n\n')
