export const topics = ['python', 'guidelines', 'queue', 'keys'] as const
