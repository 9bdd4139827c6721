import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { toast } from '#ui/feedback/toast.ts'
import { removeFromHome } from '../api.ts'
import styles from './SettingsPage.module.css'

/**
 * Shown when someone deletes the dataset while its settings are open. Reports it and returns to the home page without the
 * dataset.
 */
export const DatasetDeleted = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { t } = useTranslation('features/settings')
  const client = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    toast({ text: t('gone', { name }), kind: 'warning', key: 'gone' })
    removeFromHome(client, id)
    void navigate({ to: '/', replace: true, ignoreBlocker: true })
  }, [client, navigate, t, id, name])
  return <main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />
}
