import { useQuery } from '@tanstack/react-query';
import { readServer } from '../../api/server.ts';

const words = {
  speech: 'No model for speech is configured on this server, so replies cannot be read aloud.',
  transcription: 'No model for transcription is configured on this server, so it cannot hear you.',
} as const;

/** Why a service of models cannot be used; undefined if it can, or if that is not known yet. */
export function useMissingModel(service: keyof typeof words): string | undefined {
  const server = useQuery({ queryKey: ['server'], queryFn: ({ signal }) => readServer(signal) });
  return server.data?.models[service] === false ? words[service] : undefined;
}
