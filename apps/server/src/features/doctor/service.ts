import { recount } from '#features/records/service.ts'
import type { Difference } from '#features/responses/service.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { checkFiles, type FileReport } from './check-files.ts'
import { listPatients, type Patient } from './queries.ts'
import { markForRebuild } from './rebuild-dataset.ts'

type Ctx = { readonly store: Store; readonly config: Config }

export type { Patient } from './queries.ts'
export type Examined = Patient & {
  readonly differences: readonly Omit<Difference, 'dataset_no'>[]
  readonly files: FileReport
}

/** All datasets that can be examined. */
export const patients = (ctx: Ctx): Promise<readonly Patient[]> => ctx.store.read(listPatients, {}, { lane: 'slow' })

/** Counts everything of a dataset again, and looks for the files that its records name. Reads all of it, beside the work for users. */
export const examine = async (ctx: Ctx, patient: Patient): Promise<Examined> => ({
  ...patient,
  files: await checkFiles(ctx, patient),
  differences: (await recount(ctx, patient.no)).map(({ dataset_no: _, ...difference }) => difference),
})

/** Has all that follows from records and answers of a dataset made again, by a server. */
export const rebuild = (ctx: Ctx, { no }: Patient): Promise<void> => ctx.store.write(markForRebuild, { dataset_no: no })
