import { useTranslation } from '#i18n/use-translation.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { GuidelinesText } from './Guidelines.tsx'

type Props = { readonly text: string | null; readonly onClose: () => void }

/** The guidelines as a sheet over the record and the form, for screens without space for a panel. */
export const GuidelinesSheet = ({ text, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('guidelines.title')} look="sheet">
      <GuidelinesText text={text} />
    </Dialog>
  )
}
