import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { growthOf } from './lib/growth.ts'
import type { Line } from './lib/stats.ts'
import { tableOf } from './lib/stats.ts'

const file = join(import.meta.dirname, '..', 'docs', 'measurements.md')

const METHOD = `# Measurements

Made by \`npm run bench -- --report\` on real data (\`npm run data\`), each beside the same work done by the bare driver of the
database in the same run: the plain INSERT of the same rows into the same tables with full text and vectors, the plain SELECT
of the same page. \`ratio\` compares the two: it says more than the times, which are those of one machine on one day. Times are
in milliseconds.

How it is measured: one client over kept connections on the same machine; bodies are made before the clock runs; the delay of
the event loop and the memory are read inside the server. The SDK's bare figure is what the SDK alone needs, with the
server's answers played back. PostgreSQL runs with its default durability. \`cold\` is the first request of its kind, which
makes what the next ones find ready. \`similarity, later\` is measured when PostgreSQL has built the index of a large vector
setting (by one processor, begun by the first search); what follows is measured after that. What history
costs is shown by a trigger of the database that drops its rows, turn about with history as it is.
`

const GROWTH = `The exponent by which the 95th percentile grows from the smallest dataset of the run to the largest: 0 is flat, 1 is as the records. Cold
requests are left out, because they happen once.`

const tableFor = (lines: readonly Line[], engine: string): string => tableOf(lines.filter((line) => line.engine === engine))

/** Writes the figures of a run into the documentation. */
export const writeReport = (lines: readonly Line[]): void => {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const engines = [...new Set(lines.map(({ engine }) => engine))]
  const missed = lines.filter(({ met }) => met === false)
  const parts = engines.map(
    (engine) => `## ${engine === 'sqlite' ? 'Embedded (SQLite)' : 'PostgreSQL'}\n\n${tableFor(lines, engine)}`,
  )
  const summary =
    missed.length === 0
      ? 'Every aim is met.'
      : `Aims that this run missed: ${missed.map(({ engine, records, what }) => `${what} (${engine}, ${records})`).join('; ')}.`
  const growth = growthOf(lines)
  const grown = growth === '' ? '' : `\n\n## Growth\n\n${GROWTH}\n\n${growth}`
  const text = `${METHOD}\nRun of ${day}: Node ${process.versions.node}, ${machine}. ${summary}\n\n${parts.join('\n\n')}${grown}\n`
  writeFileSync(file, text)
}
