import { join } from 'node:path'
import { allIn, commitNow, keepIn, keptIn, machineNow, reportedIn } from './kept.ts'

/** Scripts that put a team to work, in the order of the report. */
const SCRIPTS = ['load', 'soak', 'queue', 'scale'] as const
export type Script = (typeof SCRIPTS)[number]

/** A figure, or several of the same kind by name. */
export type Figure = number | string | { readonly [name: string]: number | string }

/** What a team did. */
export type TeamRun = {
  readonly script: Script
  readonly engine: string
  /** When it ended, in ISO 8601. */
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly figures: { readonly [name: string]: Figure }
}

export const teamsIn = join(keptIn, 'teams')
export const reportedTeamsIn = join(reportedIn, 'teams')

/** Keeps a run in place of the one before of the same script and engine. @param folder where, for tests */
export const keepTeamRun = (run: TeamRun, folder = teamsIn): void => keepIn(folder, `${run.script}-${run.engine}`, run)

/** A script that has begun: what is measured is what lies there now. @returns keeps what came of it */
export const beginTeamRun = (script: Script, engine: string): ((figures: TeamRun['figures']) => void) => {
  const commit = commitNow()
  return (figures) => keepTeamRun({ script, engine, date: new Date().toISOString(), commit, machine: machineNow(), figures })
}

/** The latest run of each script and engine. */
export const keptTeamRuns = (folder = teamsIn): readonly TeamRun[] =>
  allIn<TeamRun>(folder).sort((a, b) => SCRIPTS.indexOf(a.script) - SCRIPTS.indexOf(b.script) || a.engine.localeCompare(b.engine))
