import type { Question } from '@postil/contract/questions.ts'
import { formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'

type Props = { readonly question: Question; readonly label: string; readonly into: readonly string[] }

/** Says that a label was split, and into which labels. */
export const SplitText = ({ question, label, into }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { options = [] } = question.settings as {
    readonly options?: readonly { readonly value: unknown; readonly text: string }[]
  }
  const textOf = (value: string): string => options.find((option) => option.value === value)?.text || value
  return t('question.split', { label: textOf(label), labels: formatList(into.map(textOf), false) })
}
