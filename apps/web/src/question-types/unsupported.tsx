import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import type { EditorProps, QuestionSlice, ValueProps } from './define.ts'

// Shown for types that this web app doesn't know. A newer server may have such types.
const Editor = ({ question }: EditorProps<never>) => {
  const { t } = useTranslation('question-types/shared')
  const { type } = (question as { readonly settings: { readonly type: string } }).settings
  return <Notice>{t('unsupported', { type })}</Notice>
}

const Value = ({ value }: ValueProps<never>) => <bdi>{JSON.stringify(value)}</bdi>

/** The slice for types that this web app doesn't know. It keeps existing answers unchanged. The server checks them. */
export const unsupportedQuestion = {
  kind: 'unsupported',
  rules: { check: () => null },
  Editor,
  Value,
  completeness: (value: unknown) => (value === null ? 'empty' : 'complete'),
  untouched: null,
  scorePlace: 'header',
  valueFilter: null,
  shortcuts: [],
} as unknown as QuestionSlice<QuestionKind>
