import { optionsOfRecord } from '@postil/contract/question-types/choice.rules.ts'
import type { ChoiceSettings } from '@postil/contract/question-types/choice.ts'
import { defineServerQuestionType } from './define.ts'
import { single } from './model-form.ts'
import { textQuestion } from './text.ts'

/**
 * A choice between options from the record. Answers are stored, searched and exported like answers to a text question, and
 * compared like labels.
 */
export const choiceQuestion = defineServerQuestionType({
  ...textQuestion,
  kind: 'choice',
  model: {
    ...textQuestion.model,
    instruction: (settings) =>
      `Give one of the options in ${JSON.stringify((settings as ChoiceSettings).choose_from)}, exactly as it is written there.`,
    read: (answer, settings, fields) => {
      if (typeof answer !== 'string') return null
      const { choose_from: field } = settings as ChoiceSettings
      const offered = optionsOfRecord(fields, field)
      const asked = answer.trim().toLowerCase()
      const alike = offered.filter((option) => option.trim().toLowerCase() === asked)
      // Models sometimes change the case or whitespace of an option. If the answer matches exactly one option apart from that,
      // this option is chosen. Otherwise, the answer isn't changed, and the rules refuse it.
      return single(offered.includes(answer) || alike.length !== 1 ? answer : (alike[0] ?? answer))
    },
  },
  compared: 'choices',
  similarity: () => () => 0,
  rightness: () => () => 0,
})
