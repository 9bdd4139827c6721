import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import { printDataset, unseenTexts } from '#features/datasets/public.ts'
import {
  fieldRows,
  labelColours,
  printField,
  printQuestion,
  printVectorSettings,
  questionRows,
  searchSettings,
  vectorSettingsRows,
} from '#features/schema/public.ts'
import { suggestionRuleOf } from '#features/suggestion-visibility/public.ts'
import { query } from '#platform/db/operations.ts'
import { ownMetrics } from './counters.ts'
import { type OfDataset, progressOf, visible } from './queries.ts'
import { workspaceOf } from './workspaces.ts'

/** Everything that the annotation screen shows apart from the records. @throws Problem not_found, forbidden */
export const annotationSetup = query('annotation-setup.get', async (db, of: OfDataset): Promise<AnnotationSetup> => {
  const dataset = await visible(db, of)
  return {
    dataset: printDataset(dataset),
    workspace: await workspaceOf(db, dataset),
    fields: (await fieldRows(db, dataset.id)).map(printField),
    questions: (await questionRows(db, dataset.id)).map(printQuestion),
    label_colours: await labelColours(db, dataset.id),
    vectors_settings: (await vectorSettingsRows(db, dataset.id)).map(printVectorSettings),
    search_settings: await searchSettings(db, dataset.id),
    suggestion_settings: suggestionRuleOf(dataset),
    progress: await progressOf(db, dataset),
    metrics: await ownMetrics(db, dataset, of.user),
    text_changes: await unseenTexts(db, dataset.no, of.user.id),
  }
})
