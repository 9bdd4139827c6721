import type { Question } from '@postil/contract/questions.ts'
import { formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import { questionSlice } from '#question-types/registry.ts'
import { completenessOf } from '../answers.ts'

type Props = {
  /** The questions that block a submit. At least one. */
  readonly questions: readonly Question[]
  readonly answers: Answers
}

/** Names the questions that must be answered before a submit. If only one is left and it is partly answered, says what it lacks. */
export const MissingAnswers = ({ questions, answers }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [first, ...others] = questions
  const Partial =
    first && others.length === 0 && completenessOf(first, answers) === 'partial' ? questionSlice(first.settings).Partial : null
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
