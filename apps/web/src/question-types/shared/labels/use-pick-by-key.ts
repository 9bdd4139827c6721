import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { SinglePick } from '../options/pick.ts'
import type { PickedBy } from './label-options.ts'

type Option = { readonly value: string; readonly text: string }
type Picking = {
  readonly answer: SinglePick<string>
  readonly onPick: (value: string, by: PickedBy) => void
}

/**
 * Returns a function that picks an option. The function is for keys that only one question type has. As with number keys, the
 * change is announced, and the answer can be submitted.
 */
export const usePickByKey = ({ answer, onPick }: Picking): ((option: Option) => void) => {
  const { t } = useTranslation('question-types/shared')
  return ({ value, text }) => {
    const isTakenOff = answer.value === value && answer.suggested !== value
    announce(isTakenOff ? t('takenOff', { option: text || value }) : t('picked', { option: text || value }))
    onPick(value, 'digit')
  }
}
