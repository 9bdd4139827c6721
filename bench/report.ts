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

\`npm run bench -- --report\` measures Postil on real data (\`npm run data\`) and writes this page. Most figures are
compared with the bare database driver, which does the same work in the same run: a plain INSERT of the same rows into
the same tables, including full text and vectors, or a plain SELECT of the same page. The \`ratio\` column shows the
result. It is more meaningful than the absolute times, which come from one machine on one day. Times are in
milliseconds. Memory is shown in MiB, but memory aims are in MB.

## Method

- One client on the same machine sends requests over persistent connections. Request bodies are built before the clock
  starts.
- The bare driver inserts the first 100,000 records. It alternates with the server: each sends five batches back to
  back, so work that the server does after a response counts toward the next batch. The loading ratio covers these
  records. The bare SELECTs read the same records.
- Event loop delay and memory are read inside the server process.
- The SDK's bare figure is measured with recorded server responses, so it covers only the SDK's own work.
- PostgreSQL runs with its default durability and a quarter of the machine's memory in \`shared_buffers\`.
- \`cold\` is the first request of its kind. It fills the caches that later requests use.
- \`similarity, later\` is measured once PostgreSQL has built the index of a large vector setting. The first search starts
  that build, which uses one processor. All rows below it are measured after the build.
- The cost of history is measured with a database trigger that drops its rows, alternating with history turned on.
- The SDK is measured after the deleted dataset has been removed completely.

Each combination of engine and size is a separate run, and so is each team. The latest run of each is stored in
[measurements/](measurements/). This page combines them, so its figures can come from different days and commits. A \`+\`
after a commit means that files had uncommitted changes.
`

const GROWTH = `The growth exponent of each figure, from the smallest measured dataset to the largest: 0 means constant, 1 means
proportional to the number of records. For times, it uses the 95th percentile, or the only value if something is
measured once, such as a cold request. For rates, it uses the time per item.`

const SIZING = `The cost of a million records, from the largest run of each engine: the size of the database with all indexes, the hours
that one client needs to load them, the memory of a server process, and the throughput of one process with 16 annotators
who never pause. [Sizing](operations.md#sizing) explains how to use these figures.`

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
