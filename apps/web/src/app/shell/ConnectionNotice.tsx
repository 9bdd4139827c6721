import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOnline } from '#lib/net/connection.ts'
import { closeToast, toast } from '#ui/feedback/toast.ts'

/** Shows a notice while the device is offline, and another when it is back online. */
export const ConnectionNotice = () => {
  const { t } = useTranslation()
  const online = useOnline()
  const notice = useRef<number | null>(null)
  useEffect(() => {
    if (!online) {
      notice.current ??= toast({
        text: t('connection.offline'),
        kind: 'danger',
        permanent: true,
        inFlow: true,
        key: 'connection',
      })
    } else if (notice.current !== null) {
      closeToast(notice.current)
      notice.current = null
      toast({ text: t('connection.online'), inFlow: true, key: 'connection' })
    }
  }, [online, t])
  return null
}
