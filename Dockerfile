# docker build -t neardup . && docker run --rm -v "$PWD:/data" neardup documents corpus.jsonl -o found
FROM python:3.13-slim AS build
WORKDIR /source
# Kernels compiled for any processor of this architecture: an image is run on others than that which built it.
ENV NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/opt/neardup/kernels
RUN python -m venv /opt/neardup
COPY . .
RUN /opt/neardup/bin/pip install --no-cache-dir --constraint requirements.lock ".[server]"
RUN /opt/neardup/bin/neardup warm --quiet && chmod -R a+rX /opt/neardup/kernels

FROM python:3.13-slim
COPY --from=build /opt/neardup /opt/neardup
ENV NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/opt/neardup/kernels PATH=/opt/neardup/bin:$PATH
RUN useradd --uid 1000 --create-home neardup
USER neardup
WORKDIR /data
ENTRYPOINT ["neardup"]
