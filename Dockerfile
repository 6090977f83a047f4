# Written where there is no container engine: `node test/faults/image.ts` runs these steps in empty folders and starts
# what they make the way that an engine does; docs/measurements/image.md has what it saw.
#
# Both bases are the Node.js that package.json brings along. To pin their bytes, put the digest behind each tag:
# `docker buildx imagetools inspect node:24.21.0` tells it, and `FROM node:24.21.0@sha256:…` uses it.
#
# docker build --build-arg PARLEY_GIT_SHA="$(git rev-parse HEAD)" -t parley .
# docker run --read-only --tmpfs /tmp -p 8080:8080 -e DATABASE_URL=… -e PARLEY_SECRET_KEY=… parley

FROM node:24.21.0 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# The context has no .git to ask.
ARG PARLEY_GIT_SHA
# A checkout may be closed to others; whoever runs the image has to read it, and must not change it.
RUN npm run build && chmod -R a+rX,go-w bin dist package.json

FROM node:24.21.0-slim
WORKDIR /parley
# The bundle needs no package: there is no node_modules.
COPY --from=build /build/package.json ./
COPY --from=build /build/bin/parley.js /build/bin/package.json ./bin/
COPY --from=build /build/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0
ARG PARLEY_GIT_SHA
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A control plane for voice and chat agents: one typed tool per operation, served as MCP and as REST." \
      org.opencontainers.image.revision="$PARLEY_GIT_SHA" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-slim"
EXPOSE 8080
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then(({ status }) => status, ({ cause }) => cause.code).then((seen) => { console.log(seen); process.exit(seen === 200 ? 0 : 1); })"]
ENTRYPOINT ["node", "bin/parley.js"]
CMD ["serve"]
