import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from './announcer.ts'
import { toast } from './toast.ts'

/** Returns a function that copies text. Afterwards, it shows a message, or says that the text couldn't be copied. */
export const useCopyText = () => {
  const { t } = useTranslation()
  return async (text: string, done: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      announce(t('action.copied'))
      toast({ text: done, kind: 'success', key: 'copy' })
    } catch {
      // Browsers provide no clipboard on pages loaded over plain HTTP from another machine.
      toast({ text: t('action.copyFailed'), kind: 'danger', key: 'copy' })
    }
  }
}
