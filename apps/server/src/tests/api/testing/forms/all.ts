import { bulkAnswerForms } from './bulk-answers.ts'
import { colourForms } from './colours.ts'
import { historyForms } from './history.ts'
import { hubForms } from './hub.ts'
import { importForms } from './imports.ts'
import { questionForms } from './questions.ts'
import { queueForms } from './queue.ts'
import { answerForms, recordForms } from './records.ts'
import { datasetForms, fieldForms, peopleForms, propertyForms, vectorForms } from './resources.ts'
import type { Form } from './rule.ts'
import { savedViewForms } from './saved-views.ts'
import { searchForms } from './search.ts'
import { webhookForms } from './webhooks.ts'

/** The bodies of all routes that take JSON. */
export const forms: readonly Form[] = [
  ...peopleForms,
  ...datasetForms,
  ...fieldForms,
  ...questionForms,
  ...colourForms,
  ...propertyForms,
  ...vectorForms,
  ...recordForms,
  ...answerForms,
  ...bulkAnswerForms,
  ...searchForms,
  ...historyForms,
  ...savedViewForms,
  ...queueForms,
  ...webhookForms,
  ...importForms,
  ...hubForms,
]
