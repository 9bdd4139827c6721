export const topics = ['python', 'guidelines', 'queue', 'keys', 'docs'] as const
