import { z } from 'zod'
import { Dataset } from './datasets.ts'
import { Field } from './fields.ts'
import { QuestionColours } from './label-colours.ts'
import { Workspace } from './people/workspaces.ts'
import { DatasetProgress, ResponseMetrics } from './progress.ts'
import { Question } from './questions.ts'
import { TextChanges } from './schema-versions.ts'
import { SearchSettings } from './search-settings.ts'
import { SuggestionSettings } from './suggestion-settings.ts'
import { VectorSettings } from './vectors-settings.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'

export const AnnotationSetup = z.strictObject({
  dataset: Dataset,
  workspace: Workspace,
  fields: z.array(Field),
  questions: z.array(Question),
  label_colours: z.array(QuestionColours),
  vectors_settings: z.array(VectorSettings),
  search_settings: SearchSettings,
  suggestion_settings: SuggestionSettings,
  progress: DatasetProgress,
  metrics: ResponseMetrics,
  /**
   * The changes to the guidelines and descriptions since the caller last confirmed them. For a caller who has never confirmed
   * them, the changes since the caller's first answer in the dataset. Null if nothing has changed.
   */
  text_changes: TextChanges.nullable(),
})
export type AnnotationSetup = z.infer<typeof AnnotationSetup>

export const getAnnotationSetup = defineEndpoint({
  id: 'annotation_setup.get',
  method: 'GET',
  path: '/me/datasets/:dataset_id/annotation',
  result: AnnotationSetup,
  errors: [403, 404],
  addition: true,
  summary: 'Get everything the annotation screen shows next to the records, in one call',
})

export const annotationSetupEndpoints = [getAnnotationSetup] as const
