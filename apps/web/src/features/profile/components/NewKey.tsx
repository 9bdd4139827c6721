import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { updateUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { clearSuccess, showSuccess } from '#ui/feedback/success-toast.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { renewApiKey } from '../api.ts'

/** Replaces an API key that has leaked. */
export const NewKey = ({ userId }: { readonly userId: string }) => {
  const { t } = useTranslation('features/profile')
  const client = useQueryClient()
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const renew = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      updateUser(client, await renewApiKey(userId))
      await router.invalidate()
      showSuccess(t('hasNewKey'))
      setOpen(false)
    } catch (error) {
      setProblem(problemMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        onClick={() => {
          clearSuccess()
          setOpen(true)
        }}
      >
        {t('newKey')}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t('newKeyTitle')}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{t('cancel')}</Button>
            <Button look="primary" busy={busy} onClick={() => void renew()}>
              {t('newKey')}
            </Button>
          </>
        }
      >
        <p>{t('newKeyExplain')}</p>
        {problem && (
          <div role="alert">
            <Notice kind="danger">{problem}</Notice>
          </div>
        )}
      </Dialog>
    </>
  )
}
