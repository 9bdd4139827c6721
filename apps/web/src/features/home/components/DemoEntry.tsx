import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useUnsentCounts } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import styles from './HomeSidebar.module.css'

/** Signs out and shows the sign-in page, which offers the demo. Unsent answers must be sent or discarded first. */
export const DemoEntry = ({ username }: { readonly username: string }) => {
  const { t } = useTranslation('features/home')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const unsent = useUnsentCounts()
  const isBlocked = unsent === null || unsent.waiting + unsent.issues > 0
  const { mutate, isPending } = useMutation({
    mutationFn: () => signOut(queryClient),
    onSuccess: async () => {
      outbox.stop()
      await navigate({ to: '/sign-in', search: { omitCTA: 'true' } })
    },
    onError: toastProblem,
  })
  return (
    <>
      <p className={styles['hint']}>{isBlocked ? t('demo.unsent') : t('demo.hint', { username })}</p>
      <Button busy={isPending} blocked={isBlocked} onClick={() => mutate()}>
        {t('demo.enter')}
      </Button>
    </>
  )
}
