import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { growthOf } from './lib/growth.ts'
import { copyNewer, type Run, readRuns, reportFolder, runsFolder } from './lib/run-store.ts'
import { sizingOf } from './lib/sizing.ts'
import { gridOf, tableOf } from './lib/stats.ts'
import { readTeamRuns, teamReportFolder, teamRunsFolder } from './lib/team-run-store.ts'
import { teamsOf } from './lib/teams.ts'

const file = join(import.meta.dirname, '..', 'docs', 'measurements.md')

const METHOD = `# Measurements

\`npm run bench -- --report\` measures Postil with real data (\`npm run data\`) and writes this page. For most figures, the
same run also measures how long the bare database driver takes for the same work: a plain INSERT of the same rows into
the same tables, including full text and vectors, or a plain SELECT of the same page. The column \`bare\` shows the
driver's figure, and \`ratio\` is Postil's figure divided by the driver's. The ratio is more meaningful than the absolute
times, because the absolute times depend on the machine and the day of the run. Times are in milliseconds. Measured
memory is in MiB (1,048,576 bytes), but the aims for memory are in MB (1,000,000 bytes).

## Method

- One client on the same machine sends requests over persistent connections. It builds the request bodies before the
  measurement starts.
- The bare driver inserts only the first 100,000 records, and the ratio of bulk upserts is calculated from these
  records. The client and the bare driver take turns. Each sends five batches without a pause, so if the server
  continues to work after a response, the next batch takes longer. The bare SELECTs read the records that the bare
  driver has inserted.
- Event loop delay and memory are read inside the server process.
- For the SDK's bare figure, the SDK gets recorded responses instead of calling a server. The figure therefore includes
  only the SDK's own work.
- PostgreSQL runs with its default durability and a quarter of the machine's memory in \`shared_buffers\`.
- A row with \`cold\` shows the first request of its kind. This request fills the caches that later requests use.
- \`similarity, later\`, and all rows below it, are measured after PostgreSQL has built the index for a large vector
  setting. The first similarity search starts this build, which uses one processor.
- To measure the cost of history, two kinds of rounds alternate: rounds with a database trigger that discards history
  rows, and rounds without this trigger.
- The SDK is measured after the deletion benchmark has removed all rows of the dataset that it deletes.

Each combination of engine and size is a separate run. Each measurement of a team is also a separate run. The latest run
of each kind is stored in [measurements/](measurements/). This page combines these runs, so its figures can be from
different days and commits. A \`+\` after a commit means that the working tree had uncommitted changes.
`

const GROWTH = `This table shows how each figure grows from the smallest measured dataset to the largest. An exponent of 0 means that
the figure is constant. An exponent of 1 means that the figure is proportional to the number of records. For times, the
exponent is calculated from the 95th percentile. For figures that are measured only once, such as cold requests, it is
calculated from the single value. For rates, it is calculated from the time per item.`

const SIZING = `This table shows what a million records require, based on the largest run of each engine. It shows the size of the
database with all indexes, the hours that one client needs to load the records, the memory of a server process, and the
throughput of one process with 16 annotators who never pause. [Sizing](operations.md#sizing) explains how to use these
figures.`

const engineNames: { readonly [engine: string]: string } = { sqlite: 'Embedded (SQLite)', postgres: 'PostgreSQL' }

const runsOf = (runs: readonly Run[]): string =>
  gridOf(
    ['engine', 'records', 'date', 'commit', 'Node.js', 'machine', 'aims missed'],
    runs.map(({ engine, records, date, commit, node, machine, lines }) => {
      const missed = lines.filter(({ met }) => met === false).map(({ what }) => what)
      return [engine, String(records), date.slice(0, 10), commit, node, machine, missed.join('; ') || 'none']
    }),
  )

/** The heading of the section that is written by hand. */
const HAND_WRITTEN = '## Figures behind the decisions'

const handWritten = (): string => {
  const page = readFileSync(file, 'utf8')
  const start = page.indexOf(HAND_WRITTEN)
  return start === -1 ? '' : `\n${page.slice(start)}`
}

/** Copies the latest runs to the documentation, and writes the page with their figures. */
export const writeReport = (): void => {
  copyNewer(runsFolder, reportFolder)
  copyNewer(teamRunsFolder, teamReportFolder)
  const runs = readRuns(reportFolder)
  const teamRuns = readTeamRuns(teamReportFolder)
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
  writeFileSync(file, `${METHOD}\n${sections.join('\n\n')}\n${handWritten()}`)
}
