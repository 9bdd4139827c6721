import type { GoldCounts, GoldModel } from '@postil/contract/jobs.ts'
import type { Rule } from '#features/gold/public.ts'

/** What a job does: it stores final answers by applying a rule, or it undoes an earlier job. */
export type Filling =
  | { readonly do: 'fill'; readonly rule: Rule; readonly questions: readonly string[] | null; readonly isDryRun: boolean }
  | { readonly do: 'undo'; readonly job: string }

export type FillArgs = {
  /** The next part to process. */
  readonly part: number
  readonly filling: Filling
  readonly gold: GoldCounts
  /** What models have computed. Stored by the last step. */
  readonly models?: readonly GoldModel[]
}
