/**
 * Writes the table of settings in the README from the settings themselves; a test compares the two.
 *
 *   npx node scripts/settings-table.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '../apps/server/src/platform/config/define-setting.ts'
import { IGNORED, settings } from '../apps/server/src/platform/config/settings.ts'

const readme = join(import.meta.dirname, '..', 'README.md')
const START = '<!-- settings: made by scripts/settings-table.ts -->'
const END = '<!-- end of settings -->'

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const row = ({ names, flag, spaceNames, shown, doc }: Setting<unknown>): string => {
  const flags = flag === undefined ? '' : `\`--${flag}\``
  const inSpace = spaceNames === undefined ? '' : ` In a hub space also ${code(spaceNames)}.`
  return `| ${code(names)} | ${flags} | ${shown} | ${doc}${inSpace} |`
}

/** The table of all settings in Markdown. */
export const settingsTable = (): string =>
  [
    '| Environment | Flag | Default | Meaning |',
    '|---|---|---|---|',
    ...Object.values(settings as { readonly [key: string]: Setting<unknown> }).map(row),
    '',
    `Accepted without a meaning, for set-ups made for the original server: ${code(IGNORED)}.`,
  ].join('\n')

/** The README with the table as it should be. */
export const withTable = (text: string): string => {
  const [before = '', rest = ''] = text.split(START)
  const [, after = ''] = rest.split(END)
  return `${before}${START}\n${settingsTable()}\n${END}${after}`
}

if (import.meta.main) writeFileSync(readme, withTable(readFileSync(readme, 'utf8')))
