import type { Question } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import { splitLabels } from '#question-types/completeness.ts'
import { questionSlice } from '#question-types/registry.ts'
import { answerOf, completenessIn } from '../answers.ts'
import { SplitText } from './SplitText.tsx'

type Props = {
  /** The questions that prevent submitting. At least one. */
  readonly questions: readonly Question[]
  readonly answers: Answers
  /** The record's fields. Undefined if several records are answered. */
  readonly fields?: JsonObject | undefined
}

/**
 * Names the questions that must be answered before submitting. If only one is left and it is partly answered, says what is
 * missing.
 */
export const MissingAnswers = ({ questions, answers, fields }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [first, ...others] = questions
  const Partial =
    first && others.length === 0 && completenessIn(answers, first, fields) === 'partial'
      ? questionSlice(first.settings).Partial
      : null
  const [split] = first && others.length === 0 ? splitLabels(first, answerOf(answers, first).value) : []
  if (first && split)
    return (
      <>
        <bdi>{first.title}</bdi>: <SplitText question={first} label={split.from} into={split.into} />
      </>
    )
  if (first && Partial)
    return (
      <>
        <bdi>{first.title}</bdi>: <Partial required={first.required} />
      </>
    )
  return t('form.toSubmit', {
    titles: formatList(
      questions.map(({ title }) => title),
      true,
    ),
  })
}
