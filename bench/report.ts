import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { growthOf } from './lib/growth.ts'
import { keptIn, keptRuns, type Run, reportedIn, takeOver } from './lib/kept.ts'
import { keptTeamRuns, reportedTeamsIn, teamsIn } from './lib/kept-teams.ts'
import { sizingOf } from './lib/sizing.ts'
import { gridOf, tableOf } from './lib/stats.ts'
import { teamsOf } from './lib/teams.ts'

const file = join(import.meta.dirname, '..', 'docs', 'measurements.md')

const METHOD = `# Measurements

Made by \`npm run bench -- --report\` on real data (\`npm run data\`), each beside the same work done by the bare driver of the
database in the same run: the plain INSERT of the same rows into the same tables with full text and vectors, the plain SELECT
of the same page. \`ratio\` compares the two: it says more than the times, which are those of one machine on one day. Times are
in milliseconds.

How it is measured: one client over kept connections on the same machine; bodies are made before the clock runs. The bare driver
inserts the first 100,000 records, in turn with the product by five batches that follow one right behind the other, so that what the server does when it has answered counts with the next one, and has its SELECTs from those; the ratio of loading is that of these records. The delay of
the event loop and the memory are read inside the server. The SDK's bare figure is what the SDK alone needs, with the
server's answers played back. PostgreSQL runs with its default durability and a quarter of the machine's memory in
\`shared_buffers\`. \`cold\` is the first request of its kind, which makes what the next ones find ready. \`similarity, later\` is measured when PostgreSQL has built the index of a large vector
setting (by one processor, begun by the first search); what follows is measured after that. What history
costs is shown by a trigger of the database that drops its rows, turn about with history as it is. The SDK's turn comes when
nothing is left of the dataset that was deleted before it.

Each engine and size has a run of its own, and each team, of which the latest lies in [measurements/](measurements/); the report is composed of those, so they may be of
several days and commits (\`+\`: with changes that were not committed).
`

const GROWTH = `The exponent by which each line grows from the smallest dataset that was measured to the largest: 0 is flat, 1 is as the records. Of times it is that of the 95th
percentile, or of the single time of what happens once, as a cold request; of what is counted by the second, that of the time that one takes.`

const SIZING = `What a million records cost, by the largest run of each engine: the room of the database with all its indexes, the hours that loading them by one client
takes, what a process of the server holds, and what 16 annotators who do not pause get from one. [How to size](operations.md#sizing) says what to make of it.`

const engineNames: { readonly [engine: string]: string } = { sqlite: 'Embedded (SQLite)', postgres: 'PostgreSQL' }

const runsOf = (runs: readonly Run[]): string =>
  gridOf(
    ['engine', 'records', 'date', 'commit', 'Node.js', 'machine', 'aims missed'],
    runs.map(({ engine, records, date, commit, node, machine, lines }) => {
      const missed = lines.filter(({ met }) => met === false).map(({ what }) => what)
      return [engine, String(records), date.slice(0, 10), commit, node, machine, missed.join('; ') || 'none']
    }),
  )

/** Takes the latest runs over into the documentation, and writes their figures there. */
export const writeReport = (): void => {
  takeOver(keptIn, reportedIn)
  takeOver(teamsIn, reportedTeamsIn)
  const runs = keptRuns(reportedIn)
  const teamRuns = keptTeamRuns(reportedTeamsIn)
  const lines = runs.flatMap((run) => run.lines)
  const engines = [...new Set(runs.map(({ engine }) => engine))]
  const parts = engines.map(
    (engine) => `## ${engineNames[engine] ?? engine}\n\n${tableOf(lines.filter((line) => line.engine === engine))}`,
  )
  const growth = growthOf(lines)
  const grown = growth === '' ? [] : [`## Growth\n\n${GROWTH}\n\n${growth}`]
  const teams = teamsOf(teamRuns)
  const atWork = teams === '' ? [] : [`## Teams at work\n\n${teams}`]
  const sections = [`## Runs\n\n${runsOf(runs)}`, `## Sizing\n\n${SIZING}\n\n${sizingOf(runs)}`, ...parts, ...grown, ...atWork]
  writeFileSync(file, `${METHOD}\n${sections.join('\n\n')}\n`)
}
