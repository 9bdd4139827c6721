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
same run also measures the same work with only the database driver (the bare driver). To compare writes, the bare driver
inserts the same rows into the same tables, including full text and vectors. To compare reads, it selects the same page.

The column \`bare\` shows the figure of the bare driver. The column \`ratio\` shows Postil's figure divided by the figure of
the bare driver. The ratio is more meaningful than the absolute figures, because these depend on the machine and on the
day of the run. In the columns \`p50\`, \`p95\` and \`max\`, times are in milliseconds. Measured memory is in MiB (1,048,576
bytes), but the aims for memory are in MB (1,000,000 bytes).

## Method

- One client on the same machine sends requests over persistent connections. The time that it takes to build the request
  bodies is not measured.
- The bare driver inserts only the first 100,000 records. The ratio of bulk upserts is calculated from these records.
  The bare driver also reads only these records.
- During bulk upserts, the client and the bare driver take turns after every five batches. The client sends its five
  batches without a pause. If the server continues to work after a response, this work therefore delays the next batch.
- Event loop delay and memory are read inside the server process.
- For the SDK's bare figure, the SDK gets recorded responses instead of calling a server. The figure therefore includes
  only the SDK's own work.
- PostgreSQL runs with its default durability and a quarter of the machine's memory in \`shared_buffers\`.
- A row with \`cold\` shows the first request of its kind. This request fills the caches that later requests use.
- On PostgreSQL, the first similarity search starts the build of the vector index, if there are many vectors. The build
  uses one processor. The row \`similarity, later\` and all rows below it are measured after the build.
- To measure the cost of history, rounds with history alternate with rounds without history. In the rounds without
  history, a database trigger discards the history rows.
- The SDK is measured after the deletion benchmark has deleted its dataset, including all rows.

Each combination of engine and size is a separate run. Each measurement of a team is also a separate run. The latest run
of each kind is stored in [measurements/](measurements/). This page combines these runs, so its figures can be from
different days and commits. A \`+\` after a commit means that the working tree had uncommitted changes.
`

const GROWTH = `This table shows how each figure grows from the smallest measured dataset to the largest. An exponent of 0 means that
the figure is constant. An exponent of 1 means that the figure is proportional to the number of records. The exponent is
calculated from these values:

- for a time, the 95th percentile
- for a figure that is measured only once, such as a cold request, the single value
- for a rate, the time per item`

const SIZING = `This table shows what a million records require. The figures come from the largest run of each engine.
[Sizing](operations.md#sizing) explains how to use them. The columns show:

- \`disk\`: the size of the database with all indexes
- \`loading\`: the time that one client needs to load the records
- \`memory, idle\` and \`memory, at work\`: the memory of a server process after its first start, and while 16 annotators
  work without pauses
- \`one process\`: the throughput of one server process while these 16 annotators work`

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
