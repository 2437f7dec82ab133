# By its digest (node@sha256:...) where its bytes shall be pinned too.
ARG NODE_IMAGE=node:24.11.1-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.js && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-liberation ca-certificates \
  && rm -rf /var/lib/apt/lists/*
# The allocator gives memory back (cli/stack/start-processes.ts says why).
ENV NODE_ENV=production CHROMIUM_PATH=/usr/bin/chromium \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/examples ./examples
RUN mkdir -p /data/artifacts && chown -R node:node /data && chmod -R 0700 /data
VOLUME /data
USER node
ENTRYPOINT ["node", "bin/surefoot.js"]
CMD ["--help"]
