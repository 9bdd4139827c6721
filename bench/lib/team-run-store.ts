import { join } from 'node:path'
import { commitNow, machineNow, readAll, reportFolder, runsFolder, storeJson } from './run-store.ts'

/** Scripts that simulate a team, in the order of the report. */
const SCRIPTS = ['load', 'soak', 'queue', 'scale'] as const
export type Script = (typeof SCRIPTS)[number]

export type Figure = number | string | { readonly [name: string]: number | string }

/** The results of a simulated team. */
export type TeamRun = {
  readonly script: Script
  readonly engine: string
  /** When the run ended, in ISO 8601. */
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly figures: { readonly [name: string]: Figure }
}

export const teamRunsFolder = join(runsFolder, 'teams')
export const teamReportFolder = join(reportFolder, 'teams')

/** Saves a run and replaces the previous run of the same script and engine. @param folder set only by tests */
export const storeTeamRun = (run: TeamRun, folder = teamRunsFolder): void => storeJson(folder, `${run.script}-${run.engine}`, run)

/**
 * Records the current commit. Call this when a script starts, because that commit is measured. @returns a function that saves the
 * figures
 */
export const beginTeamRun = (script: Script, engine: string): ((figures: TeamRun['figures']) => void) => {
  const commit = commitNow()
  return (figures) => storeTeamRun({ script, engine, date: new Date().toISOString(), commit, machine: machineNow(), figures })
}

/** Returns the latest run of each script and engine. */
export const readTeamRuns = (folder = teamRunsFolder): readonly TeamRun[] =>
  readAll<TeamRun>(folder).sort(
    (a, b) => SCRIPTS.indexOf(a.script) - SCRIPTS.indexOf(b.script) || a.engine.localeCompare(b.engine),
  )
